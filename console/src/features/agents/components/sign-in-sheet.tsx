import { Alert, Stack } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconKey } from '@tabler/icons-react'
import { Facts } from '../../../design/facts'
import { Copyable } from '../../../design/values'
import { textOf } from '../../../i18n/texts'
import { agentsTexts } from '../texts'

/** Shows once the data that an agent needs for signing in. */
export function showSignIn({
  name,
  username,
  password,
}: {
  name: string
  username: string
  password: string
}): void {
  const text = (key: Parameters<typeof textOf<typeof agentsTexts.en>>[1]) => textOf(agentsTexts, key)
  const facts = [
    [text('signInAt'), location.origin],
    [text('username'), username],
    [text('password'), password],
  ] as const
  modals.open({
    title: textOf(agentsTexts, 'signIn', { name }),
    size: 'lg',
    closeOnClickOutside: false,
    children: (
      <Stack>
        <Alert color="yellow" icon={<IconKey />}>
          {text('passwordHint')}
        </Alert>
        <Facts
          facts={facts.map(
            ([what, value]) => [what, <Copyable key={what} value={value} what={what} />] as const,
          )}
        />
      </Stack>
    ),
  })
}
