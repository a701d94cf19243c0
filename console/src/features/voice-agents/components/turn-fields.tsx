/** Turn detection settings. */
import { NumberInput, Select, Switch } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'
import { turnWords } from './turn-words'

interface Form {
  values: { turn_detection: string | null }
  getInputProps(field: string, options?: { type: 'checkbox' }): object
}

export function TurnFields({ form }: { form: Form }) {
  const t = useTexts(voiceAgentsTexts)
  const choices = (values: readonly (keyof typeof turnWords)[]) =>
    values.map((value) => ({ value, label: t(turnWords[value]) }))
  return (
    <>
      <Select
        label={t('turnDetection')}
        description={t('turnDetectionHint')}
        placeholder={t('asTheProvider')}
        data={choices(['server_vad', 'semantic_vad'])}
        clearable
        clearButtonProps={{ 'aria-label': t('asTheProvider') }}
        {...form.getInputProps('turn_detection')}
      />
      {form.values.turn_detection !== 'server_vad' && (
        <Select
          label={t('turnEagerness')}
          description={t('turnEagernessHint')}
          placeholder={t('asTheProvider')}
          data={choices(['low', 'medium', 'high', 'auto'])}
          clearable
          clearButtonProps={{ 'aria-label': t('asTheProvider') }}
          {...form.getInputProps('turn_eagerness')}
        />
      )}
      <NumberInput
        label={t('turnThreshold')}
        description={t('turnThresholdHint')}
        min={0}
        max={1}
        step={0.05}
        decimalScale={2}
        {...form.getInputProps('turn_threshold')}
      />
      <NumberInput
        label={t('turnSilence')}
        description={t('turnSilenceHint')}
        min={200}
        max={5000}
        step={50}
        allowDecimal={false}
        {...form.getInputProps('turn_silence_ms')}
      />
      <NumberInput
        label={t('interruption')}
        description={t('interruptionHint')}
        min={0}
        max={5000}
        step={50}
        allowDecimal={false}
        {...form.getInputProps('interruption_ms')}
      />
      <Switch
        label={t('ignoreBackchannels')}
        {...form.getInputProps('ignore_backchannels', { type: 'checkbox' })}
      />
    </>
  )
}
