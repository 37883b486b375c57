package isolate

// Temporary is a folder for the time of the tests.
func Temporary() string { return temporary }
