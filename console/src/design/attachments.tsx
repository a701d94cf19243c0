/** Files that will go with a message: choosing, showing and removing them. */
import {
  ActionIcon,
  CloseButton,
  FileButton,
  Group,
  Image,
  Loader,
  Paper,
  Text,
  Tooltip,
} from '@mantine/core'
import { IconFileMusic, IconPaperclip } from '@tabler/icons-react'
import type { ClipboardEvent } from 'react'
import { type Attachments, acceptedTypes, maxFiles } from '../api/uploads'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.attachments

export function AttachButton({ attachments }: { attachments: Attachments }) {
  const t = useTexts(texts)
  return (
    <FileButton
      multiple
      accept={acceptedTypes}
      onChange={attachments.add}
      disabled={attachments.files.length >= maxFiles}
    >
      {(props) => (
        <Tooltip label={t('attach')}>
          <ActionIcon {...props} variant="default" size="lg" aria-label={t('attach')}>
            <IconPaperclip size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </FileButton>
  )
}

/** For a text's `onPaste`: pictures are attached, text goes into the text. */
export function pasteInto(attachments: Attachments): (event: ClipboardEvent) => void {
  return (event) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    attachments.add(files)
  }
}

export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const t = useTexts(texts)
  const { files, remove } = attachments
  if (files.length === 0) return null
  return (
    <Group gap="xs" pb="xs" role="group" aria-label={t('attachments')}>
      {files.map((file) => {
        const { key, name, media, problem } = file
        return (
          <Paper key={key} withBorder p={4} maw="100%">
            <Group gap={6} wrap="nowrap">
              {media?.content_type.startsWith('image/') && (
                <Image src={media.url} alt="" w={32} h={32} fit="cover" radius="sm" />
              )}
              {media && !media.content_type.startsWith('image/') && <IconFileMusic size={20} aria-hidden />}
              {!media && !problem && <Loader size={18} aria-label={t('upload', { name })} />}
              <div style={{ minWidth: 0 }}>
                <Text size="xs" truncate maw={160}>
                  {name}
                </Text>
                {problem && (
                  <Text size="xs" c="red" role="alert">
                    {problem}
                  </Text>
                )}
              </div>
              <CloseButton size="sm" aria-label={t('remove', { name })} onClick={() => remove(file)} />
            </Group>
          </Paper>
        )
      })}
      {files.length >= maxFiles && (
        <Text size="xs" c="dimmed">
          {t('full', { count: maxFiles })}
        </Text>
      )}
    </Group>
  )
}
