/** The picture of a person: another is chosen, or it is taken away. */
import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.picture

interface PictureFieldProps {
  of: { avatar: string | null; display_name: string }
  isSending: boolean
  onChoose: (file: File) => void
  onRemove: () => void
}

export function PictureField({ of, isSending, onChoose, onRemove }: PictureFieldProps) {
  const t = useTexts(texts)
  return (
    <Group>
      <Avatar src={of.avatar} name={of.display_name} alt="" size="lg" color="initials" />
      <Stack gap={4}>
        <Group gap="xs">
          <FileButton
            accept="image/jpeg,image/png,image/webp,image/gif"
            onChange={(file) => file && onChoose(file)}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={isSending}>
                {t('choose')}
              </Button>
            )}
          </FileButton>
          {of.avatar !== null && (
            <Button variant="default" size="xs" disabled={isSending} onClick={onRemove}>
              {t('remove')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('hint')}
        </Text>
      </Stack>
    </Group>
  )
}
