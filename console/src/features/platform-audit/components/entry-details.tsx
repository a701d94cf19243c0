import { Button, Group, Stack } from '@mantine/core'
import { Facts } from '../../../design/facts'
import { Copyable, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { actorName } from '../../audit-log/actors'
import { ChangesTable } from '../../audit-log/components/changes-table'
import type { AuditEntry } from '../../audit-log/queries'
import { auditLogTexts } from '../../audit-log/texts'
import type { AuditSearch } from '../search'
import { platformAuditTexts } from '../texts'

interface EntryDetailsProps {
  entry: AuditEntry
  /** Filters the list by this value of the entry. */
  onOnly: (only: Pick<AuditSearch, 'actor' | 'ip' | 'target'>) => void
}

export function EntryDetails({ entry, onOnly }: EntryDetailsProps) {
  const [t, log] = [useTexts(platformAuditTexts), useTexts(auditLogTexts)]
  const { actor, target, workspace_id, ip, request_id, created_at } = entry
  const copied = (value: string | null, what: string) =>
    value === null ? '–' : <Copyable key={what} value={value} what={what} />
  return (
    <Stack>
      <Facts
        facts={[
          [log('when'), <Time key="when" at={created_at} exact />],
          [log('who'), actorName(actor)],
          ...(actor.id === null
            ? []
            : ([[log(`id_${actor.kind}`), copied(actor.id, log(`id_${actor.kind}`))]] as const)),
          [log('thing'), target.name ?? target.id],
          [log('thingId'), copied(target.id, log('thingId'))],
          [t('workspace'), workspace_id ?? t('platform')],
          [log('ip'), ip ?? '–'],
          [log('requestId'), copied(request_id, log('requestId'))],
        ]}
      />
      <ChangesTable changes={entry.changes} />
      <Group>
        <Button size="xs" variant="default" onClick={() => onOnly({ target: target.id })}>
          {log('allOfThing')}
        </Button>
        <Button size="xs" variant="default" onClick={() => onOnly({ actor: actor.id ?? actor.kind })}>
          {log('allOfActor', { name: actorName(actor) })}
        </Button>
        {ip !== null && (
          <Button size="xs" variant="default" onClick={() => onOnly({ ip })}>
            {log('allFromIp', { ip })}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
