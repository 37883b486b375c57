// Go's own JavaScript, which the build takes from the installed Go.
export {};
