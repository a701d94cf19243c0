import { dataOf } from '@jackfield/sdk'
import { Button } from '@mantine/core'
import { api } from '../../../api/client'
import { keyOf } from '../../../api/resources'
import { useAction } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { overviewKey } from '../queries'
import { homeTexts } from '../texts'

/** Makes a flow that can be heard at once. */
export function GreetingButton() {
  const t = useTexts(homeTexts)
  const make = useAction({
    run: async () =>
      dataOf(
        api.POST('/call-flows', {
          body: {
            title: t('greetingTitle'),
            trigger_type: 'inbound',
            nodes: [
              { id: 'start', type: 'start', next: { default: 'greeting' } },
              { id: 'greeting', type: 'tts', params: { text: t('greetingText') } },
            ],
          },
        }),
      ),
    changes: [overviewKey, keyOf('/call-flows')],
  })
  return (
    <Button loading={make.isPending} onClick={() => make.mutate()}>
      {t('greeting')}
    </Button>
  )
}
