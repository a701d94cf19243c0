/** Prompt of a menu: a spoken text, or an audio. */
import { Input, SegmentedControl, Stack } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { stepTexts } from '../texts'
import { type Plain, PlainField, type StepFieldProps } from './plain-field'

const base = { required: true, placeholders: false, mayBeEmpty: false } as const
const audio: Plain = { kind: 'reference', name: 'audio_id', of: 'audio', required: true }
const text: Plain = { ...base, kind: 'text', name: 'text' }
const voice: Plain = { ...base, kind: 'line', name: 'voice', required: false }

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
        <PlainField {...props} field={audio} />
      ) : (
        <>
          <PlainField {...props} field={text} />
          <PlainField {...props} field={voice} />
        </>
      )}
    </Stack>
  )
}
