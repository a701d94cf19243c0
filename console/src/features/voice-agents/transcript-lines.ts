/** Transcripts are append-only: full pages are not fetched again. */
export const linesOfPage = 100

interface AskedPage<Line> {
  data: readonly Line[]
  meta: { total_pages: number }
}

/** @param known lines that are already loaded */
export async function allLines<Line>(
  known: readonly Line[],
  ask: (page: number) => Promise<AskedPage<Line>>,
): Promise<Line[]> {
  // The last line may have been shortened since (barge-in), so its page is fetched again even if it is full.
  const first = Math.max(1, Math.ceil(known.length / linesOfPage))
  const lines = known.slice(0, (first - 1) * linesOfPage)
  for (let page = first, last = first; page <= last; page++) {
    const { data, meta } = await ask(page)
    lines.push(...data)
    last = meta.total_pages
  }
  return lines
}
