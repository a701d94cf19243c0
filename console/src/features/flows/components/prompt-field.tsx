/** Prompt of a menu: a spoken text, or an audio. */
import { Input, SegmentedControl, Stack } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { stepTexts } from '../texts'
import { PlainField, type StepFieldProps } from './plain-field'

export function PromptField(props: StepFieldProps) {
  const t = useTexts(stepTexts)
  const { step, errorAt, onParams } = props
  const { audio_id, text: _text, voice: _voice, ...others } = step.params
  const said = audio_id === undefined ? 'text' : 'audio'
  const choose = (next: string) => {
    if (next === said) return
    onParams(next === 'audio' ? { ...others, audio_id: '' } : { ...others, text: '' }, 'prompt')
  }
  const missing = errorAt('')
  return (
    <Stack gap="xs">
      <Input.Wrapper label={t('prompt')} error={missing} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('prompt')}
          data={[
            { value: 'text', label: t('promptText') },
            { value: 'audio', label: t('promptAudio') },
          ]}
          value={said}
          onChange={choose}
        />
      </Input.Wrapper>
      {said === 'audio' ? (
        <PlainField {...props} field={{ kind: 'reference', name: 'audio_id', of: 'audio', required: true }} />
      ) : (
        <>
          <PlainField {...props} field={{ kind: 'text', name: 'text', required: true }} />
          <PlainField {...props} field={{ kind: 'line', name: 'voice' }} />
        </>
      )}
    </Stack>
  )
}
