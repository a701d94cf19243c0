import { Anchor, Image, Stack } from '@mantine/core'
import type { components } from '@jackfield/sdk'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.messageFiles

/** Pictures and sounds of a message. The URL alone gives access, as an <img> sends no credentials. */
export function MessageFiles({ media }: Pick<components['schemas']['Message'], 'media'>) {
  const t = useTexts(texts)
  if (media.length === 0) return null
  return (
    <Stack gap="xs" py={4}>
      {media.map(({ url, content_type }, index) =>
        content_type.startsWith('image/') ? (
          <Anchor key={url} href={url} target="_blank" rel="noreferrer">
            <Image
              src={url}
              alt={t('picture', { number: index + 1 })}
              loading="lazy"
              w="auto"
              maw="100%"
              mah={240}
              radius="sm"
            />
          </Anchor>
        ) : (
          <audio
            key={url}
            controls
            preload="metadata"
            src={url}
            aria-label={t('audio', { number: index + 1 })}
            style={{ maxWidth: '100%' }}
          />
        ),
      )}
    </Stack>
  )
}
