// Heights keeps the heights of many rows, measured or guessed, and answers
// where a row begins and which row is at a place, both in O(log n): a Fenwick
// tree over the heights.
export class Heights {
  #tree: Float64Array
  #heights: Float64Array

  constructor(
    readonly count: number,
    guess: number,
  ) {
    this.#heights = new Float64Array(count).fill(guess)
    this.#tree = new Float64Array(count + 1)
    for (let i = 1; i <= count; i++) {
      this.#tree[i] = (this.#tree[i] ?? 0) + guess
      const parent = i + (i & -i)
      if (parent <= count) this.#tree[parent] = (this.#tree[parent] ?? 0) + (this.#tree[i] ?? 0)
    }
  }

  get(row: number): number {
    return this.#heights[row] ?? 0
  }

  // set says whether the height changed.
  set(row: number, height: number): boolean {
    const change = height - this.get(row)
    if (Math.abs(change) < 0.5 || row < 0 || row >= this.count) return false
    this.#heights[row] = height
    for (let i = row + 1; i <= this.count; i += i & -i) this.#tree[i] = (this.#tree[i] ?? 0) + change
    return true
  }

  // top gives where a row begins: the sum of the heights before it.
  top(row: number): number {
    let sum = 0
    for (let i = Math.min(row, this.count); i > 0; i -= i & -i) sum += this.#tree[i] ?? 0
    return sum
  }

  get total(): number {
    return this.top(this.count)
  }

  // at gives the row at a place; the last one beyond the end, 0 of none.
  at(place: number): number {
    let row = 0
    let left = place
    for (let step = 2 ** Math.floor(Math.log2(this.count || 1)); step >= 1; step /= 2) {
      const next = row + step
      const sum = this.#tree[next] ?? 0
      if (next <= this.count && sum <= left) {
        row = next
        left -= sum
      }
    }
    return Math.max(0, Math.min(row, this.count - 1))
  }
}
