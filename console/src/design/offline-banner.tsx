import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useConnection } from '../api/connection'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'

/** Shown while the server is unreachable. */
export function OfflineBanner() {
  const t = useTexts(common)
  const isLost = useConnection() === 'lost'
  return (
    <div role="status" aria-live="polite" className="jf-offline">
      {isLost && (
        <Alert color="orange" icon={<IconPlugConnectedX />} py="xs">
          {t('offline')}
        </Alert>
      )}
    </div>
  )
}
