/** Queue settings of a team step. */
import { Fieldset, Stack, Switch } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { isRecord, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { PlainField, type StepFieldProps } from './plain-field'

export function QueueField(props: StepFieldProps) {
  const t = useTexts(stepTexts)
  const { step, onParams } = props
  const hasQueue = isRecord(step.params['queue'])
  const number = { kind: 'number', min: 1 } as const
  return (
    <Stack gap="xs">
      <Switch
        label={t('queueOn')}
        checked={hasQueue}
        data-path="queue"
        onChange={({ currentTarget: { checked } }) =>
          onParams(withParam(step.params, 'queue', checked ? {} : undefined), 'queue')
        }
      />
      {hasQueue && (
        <Fieldset p="sm">
          <Stack gap="sm">
            <PlainField
              {...props}
              label={t('field_queueWait')}
              field={{ ...number, name: 'queue.max_wait', max: 3600, byDefault: 300 }}
            />
            <PlainField
              {...props}
              label={t('field_queueLength')}
              field={{ ...number, name: 'queue.max_length', max: 1000, byDefault: 100 }}
            />
            <PlainField
              {...props}
              label={t('field_queueMusic')}
              field={{ kind: 'reference', name: 'queue.music_audio_id', of: 'audio' }}
            />
            <PlainField
              {...props}
              label={t('field_queueAnnounce')}
              field={{ kind: 'flag', name: 'queue.announce_position', byDefault: false }}
            />
          </Stack>
        </Fieldset>
      )}
    </Stack>
  )
}
