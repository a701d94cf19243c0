/** The link at which an agent sets a password: it is shown once. */
import type { components } from '@jackfield/sdk'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconExternalLink, IconKey } from '@tabler/icons-react'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { Facts } from './facts'
import { designTexts } from './texts'
import { Copyable, momentOf } from './values'

export type Invitation = components['schemas']['Invitation']

const { invitation: texts } = designTexts

/** @param onClose called when it is closed */
export function showInvitation(
  name: string,
  { link, username, expires_at, sent_to }: Invitation,
  onClose?: () => void,
): void {
  const text = (key: Parameters<typeof textOf<typeof texts.en>>[1], values?: Record<string, string>) =>
    textOf(texts, key, values)
  modals.open({
    title: text('title', { name }),
    size: 'lg',
    closeOnClickOutside: false,
    ...(onClose && { onClose }),
    children: (
      <Stack>
        <Alert color="yellow" icon={<IconKey />}>
          {text('hint', { name, until: momentOf(expires_at) })}
        </Alert>
        <Facts
          facts={[
            [text('link'), <Copyable key="link" value={link} what={text('link')} />],
            [
              textOf(common, 'username'),
              <Copyable key="username" value={username} what={textOf(common, 'username')} />,
            ],
          ]}
        />
        {sent_to && <Text size="sm">{text('sent', { email: sent_to })}</Text>}
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noreferrer"
          variant="light"
          leftSection={<IconExternalLink size={18} />}
          style={{ alignSelf: 'flex-start' }}
        >
          {text('open')}
        </Button>
      </Stack>
    ),
  })
}
