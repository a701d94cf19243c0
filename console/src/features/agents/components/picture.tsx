import { dataOf, formOf } from '@jackfield/sdk'
import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { type Agent, agentsKey } from '../queries'
import { agentsTexts } from '../texts'

export function Picture({ agent: { id, avatar, display_name } }: { agent: Agent }) {
  const t = useTexts(agentsTexts)
  const sending = useAction({
    run: async (file: File) =>
      dataOf(
        api.PATCH('/agents/{id}/avatar', {
          params: { path: { id } },
          body: formOf<{ file: string }>({ file }),
        }),
      ),
    changes: [agentsKey],
  })
  return (
    <Group>
      <Avatar src={avatar} name={display_name} alt="" size="lg" color="initials" />
      <Stack gap={4}>
        <FileButton
          accept="image/jpeg,image/png,image/webp,image/gif"
          onChange={(file) => file && sending.mutate(file)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" loading={sending.isPending}>
              {t('choosePicture')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          {t('pictureHint')}
        </Text>
      </Stack>
    </Group>
  )
}
