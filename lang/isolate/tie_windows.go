package isolate

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A tie ends a child with its parent: the child belongs to a job object that the system
// ends when the last handle of it is closed, and the parent has that.

var tieArguments []string

// runTied runs a command that ends when this process does.
func runTied(cmd *exec.Cmd) error {
	job, err := newJob(func(l *windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION) {
		l.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	})
	if err != nil {
		return err
	}
	defer windows.CloseHandle(job)
	if err := cmd.Start(); err != nil {
		return err
	}
	if err := assign(job, uint32(cmd.Process.Pid)); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return err
	}
	return cmd.Wait()
}

// newJob returns a job object with limits.
func newJob(limit func(*windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION)) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, os.NewSyscallError("CreateJobObject", err)
	}
	var l windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limit(&l)
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&l)), uint32(unsafe.Sizeof(l)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, os.NewSyscallError("SetInformationJobObject", err)
	}
	return job, nil
}

// assign puts a process into a job.
func assign(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(process)
	return os.NewSyscallError("AssignProcessToJobObject", windows.AssignProcessToJobObject(job, process))
}

// hold has nothing to do: the parent's job holds the child.
func hold(int) error { return nil }

// interrupt ends a child: there is no signal that it could hear.
func interrupt(p *os.Process) error { return p.Kill() }
