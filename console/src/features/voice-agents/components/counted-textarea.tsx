import { Textarea, type TextareaProps } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'

/** A text that may have so many characters, and says how many it has. */
export function CountedTextarea({
  most,
  value,
  description,
  ...props
}: Omit<TextareaProps, 'description'> & { most: number; value: string; description: string }) {
  const t = useTexts(voiceAgentsTexts)
  // The API counts characters, not units of UTF-16.
  const length = [...value].length
  return (
    <Textarea
      {...props}
      value={value}
      autosize
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={`${description} · ${t('characters', { length, most })}`}
    />
  )
}
