/** The text of an outgoing message: characters left, and attachments. */
import { Group, Stack, Text, Textarea, type TextareaProps } from '@mantine/core'
import { encodingNames, sizeOf } from '../api/segments'
import { type Attachments, longestText } from '../api/uploads'
import { useTexts } from '../i18n/texts'
import { AttachButton, AttachmentList, pasteInto } from './attachments'
import { designTexts } from './texts'

const texts = designTexts.messageText

/** Characters and segments of a text. */
export function TextSize({ text }: { text: string }) {
  const t = useTexts(texts)
  const { encoding, segments } = sizeOf(text)
  const values = { used: [...text].length, most: longestText, segments, encoding: encodingNames[encoding] }
  return (
    <Text size="xs" c="dimmed">
      {t('size', values)}
    </Text>
  )
}

type MessageTextProps = TextareaProps & { value: string; attachments: Attachments }

/** The field of a form; `attachments` are its form's. */
export function MessageText({ attachments, ...props }: MessageTextProps) {
  return (
    <Stack gap="xs">
      <Textarea
        autosize
        minRows={3}
        maxRows={10}
        maxLength={longestText}
        onPaste={pasteInto(attachments)}
        {...props}
      />
      <AttachmentList attachments={attachments} />
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <TextSize text={props.value} />
        <AttachButton attachments={attachments} />
      </Group>
    </Stack>
  )
}
