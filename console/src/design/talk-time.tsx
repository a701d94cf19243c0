import { useEffect, useState } from 'react'
import { Duration } from './values'

/** Duration of a call, ticking. */
export function TalkTime({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <Duration seconds={(now - since) / 1_000} />
}
