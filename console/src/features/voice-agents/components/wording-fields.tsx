/** Greeting and instructions of a voice agent. */
import type { TextareaProps } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'
import { CountedTextarea } from './counted-textarea'

type Field = Omit<TextareaProps, 'description' | 'value'> & { value: string }

interface WordingFieldsProps {
  greeting: Field & { description: string }
  instructions: Field
}

export function WordingFields({ greeting, instructions }: WordingFieldsProps) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <>
      <CountedTextarea label={t('greeting')} most={250} minRows={2} {...greeting} />
      <CountedTextarea
        label={t('instructions')}
        description={t('instructionsHint')}
        required
        most={3500}
        minRows={8}
        maxRows={24}
        {...instructions}
      />
    </>
  )
}
