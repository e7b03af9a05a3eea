package main

import (
	"math"
	"slices"
)

// descend fits a logistic regression by Newton's method, each weight pulled towards
// where it starts. The same examples give the same weights.
func descend(examples []example, start []float64) []float64 {
	w := slices.Clone(start)
	n := len(w)
	for range fitRounds {
		slope, curve := make([]float64, n), make([][]float64, n)
		for i := range w {
			curve[i] = make([]float64, n)
			if i < n-1 { // the bias is free
				slope[i], curve[i][i] = penalty*(w[i]-start[i]), penalty
			}
		}
		for _, e := range examples {
			p := 1 / (1 + math.Exp(-sum(w, e.on)))
			on := append(slices.Clone(e.on), n-1)
			for _, i := range on {
				slope[i] += p - e.keep
				for _, j := range on {
					curve[i][j] += p * (1 - p)
				}
			}
		}
		far := 0.0
		for i, x := range solved(curve, slope) {
			w[i] -= x
			far = max(far, math.Abs(x))
		}
		if far < 1e-6 {
			break
		}
	}
	return w
}

// solved gives x of a·x = b, for a symmetric and positive a, by Cholesky's method.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	x := slices.Clone(b)
	for i := range n {
		for j := range i + 1 {
			for k := range j {
				a[i][j] -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(a[i][i], 1e-12))
			} else {
				a[i][j] /= a[j][j]
			}
		}
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

// calibrated gives slope and offset of a logistic regression of what was kept over the
// score.
func calibrated(items []chosen) (slope, offset float64) {
	slope, offset = 1, 0
	for range fitRounds {
		a := [][]float64{{1e-9, 0}, {0, 1e-9}}
		b := []float64{0, 0}
		for _, x := range items {
			p := 1 / (1 + math.Exp(-slope*x.score-offset))
			r, q := p-math.Floor(x.keep), p*(1-p)
			b[0] += r * x.score
			b[1] += r
			a[0][0] += q * x.score * x.score
			a[0][1] += q * x.score
			a[1][0] += q * x.score
			a[1][1] += q
		}
		d := solved(a, b)
		slope, offset = slope-d[0], offset-d[1]
	}
	return math.Round(slope*100) / 100, math.Round(offset*100) / 100
}
