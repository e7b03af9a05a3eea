// Command command is a guest that is a program, not a plug-in.
package main

import (
	"fmt"
	"sort"
)

func main() {
	var v []int
	for i := range 10000 {
		v = append(v, i*7919%10007)
	}
	sort.Ints(v)
	fmt.Println(v[:5], v[9995:])
}
