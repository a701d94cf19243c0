import { Anchor, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Facts } from '../../../design/facts'
import { Copyable, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { actorName } from '../actors'
import type { AuditEntry } from '../queries'
import { auditLogTexts } from '../texts'
import { ChangesTable } from './changes-table'
import { Target } from './target'

export function EntryDetails({ entry, onLeave }: { entry: AuditEntry; onLeave: () => void }) {
  const t = useTexts(auditLogTexts)
  const { actor, target, ip, request_id } = entry
  return (
    <Stack>
      <Facts
        facts={[
          [t('when'), <Time key="when" at={entry.created_at} exact />],
          [t('who'), actorName(actor)],
          ...(actor.id === null
            ? []
            : ([
                [
                  t(`id_${actor.kind}`),
                  <Copyable key="actor" value={actor.id} what={t(`id_${actor.kind}`)} />,
                ],
              ] as const)),
          [t('thing'), <Target key="thing" entry={entry} />],
          [t('thingId'), <Copyable key="id" value={target.id} what={t('thingId')} />],
          [t('ip'), ip ?? '–'],
          [
            t('requestId'),
            request_id === null ? '–' : <Copyable key="request" value={request_id} what={t('requestId')} />,
          ],
        ]}
      />
      <ChangesTable changes={entry.changes} />
      <Group gap="lg">
        <Anchor
          size="sm"
          onClick={onLeave}
          renderRoot={(props) => <Link {...props} to="/audit-log" search={{ target: target.id }} />}
        >
          {t('allOfThing')}
        </Anchor>
        <Anchor
          size="sm"
          onClick={onLeave}
          renderRoot={(props) => (
            <Link {...props} to="/audit-log" search={{ actor: actor.id ?? actor.kind }} />
          )}
        >
          {t('allOfActor', { name: actorName(actor) })}
        </Anchor>
        {ip !== null && (
          <Anchor
            size="sm"
            onClick={onLeave}
            renderRoot={(props) => <Link {...props} to="/audit-log" search={{ ip }} />}
          >
            {t('allFromIp', { ip })}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}
