import { Alert } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Trouble, troubleOf } from '../api/trouble'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'

const lookEveryMs = 500

/** Says why a page waits, and counts down to the retry; on every page, also before its frame is there. */
export function TroubleBanner() {
  const t = useTexts(common)
  const cache = useQueryClient().getQueryCache()
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  useEffect(() => {
    const timer = window.setInterval(() => {
      const now = troubleOf(cache)
      setTrouble((before) => (before?.kind === now?.kind && before?.seconds === now?.seconds ? before : now))
    }, lookEveryMs)
    return () => window.clearInterval(timer)
  }, [cache])
  const textOf = ({ kind, seconds }: Trouble) => {
    if (kind === 'slow') return t('troubleSlow')
    const what = t(kind === 'limited' ? 'troubleLimited' : 'troubleFailed')
    return `${what} ${seconds === null ? t('troubleNow') : t('troubleAgain', { count: seconds })}`
  }
  return (
    <div role="status" aria-live="polite" className="jf-trouble">
      {trouble && (
        <Alert color="orange" icon={<IconHourglass />} py="xs">
          {textOf(trouble)}
        </Alert>
      )}
    </div>
  )
}
