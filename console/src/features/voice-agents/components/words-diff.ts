/** What has changed between two texts, word by word. */

export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** More pairs of words than this are not compared: both texts are then shown as changed. Instructions have far less. */
const maxPairs = 4_000_000

/** Words, and the space behind each. */
const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

/** The parts of both in reading order: those of the left text are `same` or `removed`, of the right one `same` or `added`. */
export function diffOf(left: string, right: string): DiffPart[] {
  const [a, b] = [wordsOf(left), wordsOf(right)]
  if (a.length * b.length > maxPairs) {
    return [
      { kind: 'removed', text: left },
      { kind: 'added', text: right },
    ]
  }
  const common = commonLengths(a, b)
  const parts: DiffPart[] = []
  const put = (kind: DiffPart['kind'], text: string) => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && right !== undefined && left.trim() === right.trim()) {
      put('same', right)
      i += 1
      j += 1
    } else if (right === undefined || (left !== undefined && common(i + 1, j) >= common(i, j + 1))) {
      put('removed', left ?? '')
      i += 1
    } else {
      put('added', right)
      j += 1
    }
  }
  return parts
}

/** How many words what is left of both has in common, in the same order (longest common subsequence). */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i]?.trim() === b[j]?.trim()
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return (i, j) => lengths[i * width + j] ?? 0
}
