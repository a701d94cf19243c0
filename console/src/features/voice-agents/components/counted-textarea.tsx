import { Textarea, type TextareaProps } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'

/** A textarea with a character counter. */
export function CountedTextarea({
  most,
  value,
  description,
  ...props
}: Omit<TextareaProps, 'description'> & { most: number; value: string; description: string }) {
  const t = useTexts(voiceAgentsTexts)
  // The API counts code points, not UTF-16 units.
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
