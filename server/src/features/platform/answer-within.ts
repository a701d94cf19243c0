/** Asks a part of the platform that may be away: no answer is an answer, too. */
export async function answerWithin<T>(ms: number, ask: () => Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([ask().catch(() => null), silence])
  } finally {
    clearTimeout(timer)
  }
}
