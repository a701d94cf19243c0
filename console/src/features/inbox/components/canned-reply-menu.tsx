import { ActionIcon, Menu, Text, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../../api/me'
import { Answered } from '../../../design/page'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Conversation, cannedRepliesQuery } from '../queries'
import { cannedTexts, inboxTexts } from '../texts'

interface Props {
  conversation: Conversation
  /** Called with the text, its placeholders filled in. */
  onChoose: (body: string) => void
}

export function CannedReplyMenu({ conversation, onChoose }: Props) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const words = useTexts(cannedTexts)
  const me = useMe()
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 250)
  const query = useQuery({
    ...cannedRepliesQuery({ limit: 100, ...(search && { search }) }),
    enabled: opened,
  })
  return (
    <Menu opened={opened} onChange={setOpened} width={320} position="top-end" trapFocus>
      <Menu.Target>
        <Tooltip label={words('heading')}>
          <ActionIcon variant="default" size="lg" aria-label={words('heading')}>
            <IconTemplate size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <TextInput
          m={4}
          aria-label={c('search')}
          placeholder={c('search')}
          value={text}
          data-autofocus
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Answered query={query} rows={3}>
          {({ data }) =>
            data.length === 0 ? (
              <Text c="dimmed" p="sm" size="sm">
                {search ? c('noMatch', { search }) : t('cannedEmpty')}
              </Text>
            ) : (
              <>
                {data.map(({ id, title, body }) => (
                  <Menu.Item key={id} onClick={() => onChoose(filled(body, conversation, me?.display_name))}>
                    <Text size="sm" fw={600}>
                      {title}
                    </Text>
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {body}
                    </Text>
                  </Menu.Item>
                ))}
              </>
            )
          }
        </Answered>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Fills `{name}`, `{number}` and `{agent}`; unknown ones stay visible for the author. */
export function filled(
  body: string,
  { client_name, client_number }: Pick<Conversation, 'client_name' | 'client_number'>,
  agent: string | undefined,
): string {
  const values: Record<string, string | null | undefined> = {
    name: client_name,
    number: client_number,
    agent,
  }
  return body.replace(/\{(\w+)\}/g, (placeholder, word: string) => values[word] ?? placeholder)
}
