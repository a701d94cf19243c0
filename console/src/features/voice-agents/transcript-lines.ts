/** A transcript grows at its end: pages that were full are not asked for again. */
export const linesOfPage = 100

interface AskedPage<Line> {
  data: readonly Line[]
  meta: { total_pages: number }
}

/** @param known the lines that are there already */
export async function allLines<Line>(
  known: readonly Line[],
  ask: (page: number) => Promise<AskedPage<Line>>,
): Promise<Line[]> {
  // The last one may have been cut off since, so that its page is asked for also when it is full.
  const first = Math.max(1, Math.ceil(known.length / linesOfPage))
  const lines = known.slice(0, (first - 1) * linesOfPage)
  for (let page = first, last = first; page <= last; page++) {
    const { data, meta } = await ask(page)
    lines.push(...data)
    last = meta.total_pages
  }
  return lines
}
