// Until the page's program runs, this says why it takes long, and loads the page again when a part of it has failed.
;(() => {
  // As in src/i18n/language.ts.
  const german = (() => {
    let chosen = null
    try {
      chosen = localStorage.getItem('jackfield.language')
    } catch {
      // Storage may be forbidden: then the browser decides.
    }
    const tags = [chosen ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase())
    return tags.find((tag) => tag === 'de' || tag === 'en') === 'de'
  })()
  const texts = german
    ? {
        slow: 'Der Server braucht lange für seine Antwort. Die Konsole wartet darauf.',
        limited: 'Zu viele Anfragen von hier innerhalb einer Minute.',
        failed: 'Auf dem Server ging etwas schief.',
        lost: 'Der Server ist nicht zu erreichen.',
        again: (seconds) =>
          seconds === 1
            ? 'Die Konsole versucht es in einer Sekunde wieder.'
            : `Die Konsole versucht es in ${seconds} Sekunden wieder.`,
      }
    : {
        slow: 'The server takes long to answer. The console is waiting for it.',
        limited: 'Too many requests from here within a minute.',
        failed: 'The server failed.',
        lost: 'The server cannot be reached.',
        again: (seconds) =>
          seconds === 1
            ? 'The console tries again in a second.'
            : `The console tries again in ${seconds} seconds.`,
      }
  const slowMs = 5_000
  const answerMs = 30_000
  const [shortestWait, longestWait] = [5, 62]
  const triesKey = 'jackfield.boot-tries'

  const boot = document.getElementById('boot')
  const words = boot?.querySelector('p')
  if (!boot || !words) return
  if (german) document.documentElement.lang = 'de'
  const say = (text) => {
    words.textContent = text
  }
  const slow = setTimeout(() => say(texts.slow), slowMs)
  /** The script or the style that the server did not answer. */
  let failing = null
  let isStarted = false

  /** As many seconds as the server says; else longer with each try. */
  const waitOf = (retryAfter) => {
    let tries = 0
    try {
      tries = Number(sessionStorage.getItem(triesKey) ?? 0)
      sessionStorage.setItem(triesKey, String(tries + 1))
    } catch {
      // Storage may be forbidden: then each try waits as long as the first.
    }
    const wait = retryAfter > 0 ? retryAfter : shortestWait * 2 ** Math.min(tries, 4)
    return Math.min(wait, longestWait)
  }
  const again = (why, seconds) => {
    if (isStarted) return
    clearTimeout(slow)
    if (seconds <= 0) {
      location.reload()
      return
    }
    say(`${why} ${texts.again(seconds)}`)
    setTimeout(() => again(why, seconds - 1), 1_000)
  }
  /** The browser does not say why it failed: a second request does. */
  const explain = async (url) => {
    try {
      const answer = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(answerMs) })
      const why = answer.status === 429 ? texts.limited : texts.failed
      again(why, waitOf(Number(answer.headers.get('retry-after'))))
    } catch {
      again(texts.lost, waitOf(0))
    }
  }
  // Only until the program runs, which loads its other parts itself.
  const failed = ({ target }) => {
    const url =
      target instanceof HTMLScriptElement ? target.src : target instanceof HTMLLinkElement && target.href
    if (!url || failing) return
    failing = target
    void explain(url)
  }
  addEventListener('error', failed, true)
  addEventListener(
    'jackfield.started',
    () => {
      removeEventListener('error', failed, true)
      // Without its styles the page is loaded again all the same.
      if (failing?.rel === 'stylesheet') return
      isStarted = true
      try {
        sessionStorage.removeItem(triesKey)
      } catch {
        // Storage may be forbidden: nothing was kept.
      }
    },
    { once: true },
  )
})()
