// What stands on the page until its program runs, and says why that takes long: never a white page. It tries again by itself.
;(() => {
  const german = (() => {
    let chosen = null
    try {
      chosen = localStorage.getItem('jackfield.language')
    } catch {
      // Storage may be forbidden: then the browser decides.
    }
    return (chosen ?? navigator.language).startsWith('de')
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
  let isFailing = false

  /** Each try waits longer, and as long as the server says. */
  const waitOf = (retryAfter) => {
    let tries = 0
    try {
      tries = Number(sessionStorage.getItem(triesKey) ?? 0)
      sessionStorage.setItem(triesKey, String(tries + 1))
    } catch {
      // Then each waits as long as the first.
    }
    const wait = retryAfter > 0 ? retryAfter : shortestWait * 2 ** Math.min(tries, 4)
    return Math.min(wait, longestWait)
  }
  const again = (why, seconds) => {
    clearTimeout(slow)
    if (seconds <= 0) {
      location.reload()
      return
    }
    say(`${why} ${texts.again(seconds)}`)
    setTimeout(() => again(why, seconds - 1), 1_000)
  }
  const told = async (url) => {
    try {
      const answer = await fetch(url, { cache: 'no-store' })
      const why = answer.status === 429 ? texts.limited : texts.failed
      again(why, waitOf(Number(answer.headers.get('retry-after'))))
    } catch {
      again(texts.lost, waitOf(0))
    }
  }
  // A script or a style of the first page was not answered. Once the program runs it sees to the others.
  const failed = ({ target }) => {
    const url =
      target instanceof HTMLScriptElement ? target.src : target instanceof HTMLLinkElement && target.href
    if (!url || isFailing) return
    isFailing = true
    void told(url)
  }
  addEventListener('error', failed, true)
  addEventListener(
    'jackfield.started',
    () => {
      removeEventListener('error', failed, true)
      try {
        sessionStorage.removeItem(triesKey)
      } catch {
        // Nothing was kept.
      }
    },
    { once: true },
  )
})()
