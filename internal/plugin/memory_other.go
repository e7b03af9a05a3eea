//go:build !unix || !(amd64 || arm64)

package plugin

func newLinear(most uint64) linear { return &heapMemory{most: most} }
