/** Word diff of two texts. */

export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Upper bound of compared word pairs; beyond it both texts are shown as changed. Instructions are far shorter. */
const maxPairs = 4_000_000

/** Words, each with its trailing space. */
const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

/** Parts in reading order: `same` or `removed` for the left text, `same` or `added` for the right one. */
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

/** Table of longest common subsequence lengths, for all suffixes of both texts. */
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
