//go:build race

package workers

func init() { raceDetector = true }
