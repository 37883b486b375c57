//go:build race

package isolate

func init() { raceDetector = true }
