import { Anchor, Stack } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import css from '../inbox.module.css'
import type { Message } from '../queries'
import { inboxTexts } from '../texts'

/** Pictures and sounds of a message. Whoever has their addresses may fetch them, as an <img> does. */
export function MessageFiles({ media }: Pick<Message, 'media'>) {
  const t = useTexts(inboxTexts)
  if (media.length === 0) return null
  return (
    <Stack gap="xs" py={4}>
      {media.map(({ url, content_type }, index) =>
        content_type.startsWith('image/') ? (
          <Anchor key={url} href={url} target="_blank" rel="noreferrer">
            <img
              className={css['picture']}
              src={url}
              alt={t('fileOf', { number: index + 1 })}
              loading="lazy"
            />
          </Anchor>
        ) : (
          <audio key={url} controls preload="metadata" src={url} style={{ maxWidth: '100%' }} />
        ),
      )}
    </Stack>
  )
}
