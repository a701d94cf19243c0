import { CloseButton, Group, Image, Loader, Paper, Text } from '@mantine/core'
import { IconFileMusic } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import { inboxTexts } from '../texts'
import { type Attachments, maxFiles } from '../uploads'

/** Files that will go with the message. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const t = useTexts(inboxTexts)
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
          {t('attachmentsFull', { count: maxFiles })}
        </Text>
      )}
    </Group>
  )
}
