//go:build wasip1

package guest

import "unsafe"

//go:wasmimport recollect call
func hostCall(ptr unsafe.Pointer, n int32) int32

//go:wasmimport recollect read
func hostRead(ptr unsafe.Pointer, n int32) int32

//go:wasmimport recollect log
func hostLog(level int32, ptr unsafe.Pointer, n int32)

//go:wasmexport rc_abi_1
func marker() {}

//go:wasmexport rc_warmup
func prepare() { warmup() }

//go:wasmexport rc_alloc
func alloc(n int32) int32 {
	if n < 0 {
		return 0
	}
	request = make([]byte, max(n, 1))
	return int32(uintptr(unsafe.Pointer(unsafe.SliceData(request))))
}

// place packs where the answer lies: ptr<<32 | len.
func place(data []byte) int64 {
	if len(data) == 0 {
		return 0
	}
	return int64(uint64(uintptr(unsafe.Pointer(unsafe.SliceData(data))))<<32 | uint64(uint32(len(data))))
}

func ask(req []byte) []byte {
	n := hostCall(unsafe.Pointer(unsafe.SliceData(req)), int32(len(req)))
	if n <= 0 {
		return nil
	}
	reply := make([]byte, n)
	return reply[:max(0, min(n, hostRead(unsafe.Pointer(unsafe.SliceData(reply)), n)))]
}

func log(level int32, line string) {
	if line == "" {
		return
	}
	hostLog(level, unsafe.Pointer(unsafe.StringData(line)), int32(len(line)))
}
