/** Starts a call from another page; the call continues across pages. */
import { Button } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { e164, isCallable } from '../../../api/e164'
import { queryClient } from '../../../api/query-client'
import { complain } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { phone, usePhone } from '../phone'
import { problemOf } from '../phone-problem'
import { callerNumbersQuery } from '../queries'
import { phoneTexts } from '../texts'

interface CallButtonProps {
  /** E.164. */
  number: string
  name: string
  /** Id of the workspace's number that the other party knows: used as caller id if the agent may use it. */
  numberId: string
}

export function CallButton({ number, name, numberId }: CallButtonProps) {
  const t = useTexts(phoneTexts)
  const { isBusy, isStarting } = usePhone()
  if (!isCallable(number)) return null
  const call = async () => {
    try {
      const offered = await queryClient.query(callerNumbersQuery)
      const known = offered.find(({ id }) => id === numberId)
      await phone.dial(number, known ? e164(known.number) : '', name)
    } catch (error) {
      complain(error, problemOf(error))
    }
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPhone size={16} aria-hidden />}
      aria-label={t('callOf', { name })}
      loading={isStarting}
      disabled={isBusy}
      onClick={() => void call()}
    >
      {t('callVerb')}
    </Button>
  )
}
