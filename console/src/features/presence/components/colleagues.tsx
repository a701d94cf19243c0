/** Members of the user's team, and their current state. */
import { ActionIcon, Avatar, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconPhone, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Answered, EmptyState } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { type Teammate, teammatesQuery } from '../queries'
import { presenceTexts } from '../texts'
import { useTeammateStates } from '../use-teammate-states'
import { OwnTeamChoice } from './own-team-choice'
import { PresenceState } from './presence-state'

interface ColleaguesProps {
  /** Starts a call; undefined while that is not possible. */
  onCall: ((colleague: Teammate) => void) | undefined
}

export function Colleagues({ onCall }: ColleaguesProps) {
  const t = useTexts(presenceTexts)
  const [chosen, setChosen] = useState<string | null>(null)
  useTeammateStates()
  return (
    <Card withBorder component="section" aria-label={t('colleagues')}>
      <Stack>
        <Title order={2} size="h4">
          {t('colleagues')}
        </Title>
        <OwnTeamChoice chosen={chosen} onChoose={setChosen}>
          {({ id }) => <Team id={id} onCall={onCall} />}
        </OwnTeamChoice>
      </Stack>
    </Card>
  )
}

function Team({ id, onCall }: ColleaguesProps & { id: string }) {
  const t = useTexts(presenceTexts)
  const teammates = useQuery(teammatesQuery(id))
  return (
    <Answered query={teammates} rows={3}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState icon={IconUsers} title={t('noColleagues')}>
            {t('noColleaguesHint')}
          </EmptyState>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
            {data.map((colleague) => (
              <Group component="li" key={colleague.username} justify="space-between" wrap="nowrap" gap="xs">
                <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
                  <Avatar src={colleague.avatar} size={28} alt="" aria-hidden />
                  <Text truncate>{colleague.display_name}</Text>
                </Group>
                <Group gap="xs" wrap="nowrap">
                  <PresenceState state={colleague.state} is_ringing={colleague.is_ringing} />
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('callOf', { name: colleague.display_name })}
                    disabled={!onCall || colleague.state !== 'available'}
                    onClick={() => onCall?.(colleague)}
                  >
                    <IconPhone size={18} />
                  </ActionIcon>
                </Group>
              </Group>
            ))}
          </Stack>
        )
      }
    </Answered>
  )
}
