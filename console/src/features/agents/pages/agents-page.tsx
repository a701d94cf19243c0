import { Anchor, Avatar, Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { type FilterProps, resourcePage } from '../../../design/resource-page'
import { useTexts } from '../../../i18n/texts'
import { roleWords } from '../../presence/texts'
import { AgentFilters } from '../components/agent-filters'
import { AgentState } from '../components/agent-state'
import { type Agent, type AgentsSearch, agentsFilterOf } from '../queries'
import { agentsTexts } from '../texts'
import { useAgentStates } from '../use-agent-states'
import { useBulk } from '../use-bulk'

const NewAgentForm = partOf(async () => import('../components/new-agent-form'), 'NewAgentForm')

export const AgentsPage = resourcePage({
  path: '/agents',
  texts: agentsTexts,
  useInterval: useAgentStates,
  columns: (t) => [
    {
      key: 'name',
      header: t('name'),
      sort: 'display_name',
      render: ({ id, display_name, avatar }: Agent) => (
        <Group gap="xs" wrap="nowrap">
          <Avatar src={avatar} name={display_name} alt="" size="sm" />
          <Anchor component={Link} to={`/agents/${id}`}>
            {display_name}
          </Anchor>
        </Group>
      ),
    },
    text('username', t('username'), { sort: true }),
    text('email', t('email'), { sort: true }),
    { key: 'role', header: t('role'), render: (agent) => <Role {...agent} /> },
    { key: 'state', header: t('state'), render: (agent) => <AgentState agent={agent} /> },
    created(t('created')),
  ],
  nameOf: ({ display_name }) => display_name,
  form: ({ close }) => <NewAgentForm onDone={close} />,
  pageOf: ({ id }) => `/agents/${id}`,
  Filters: ({ search, onChange }: FilterProps<AgentsSearch>) => (
    <AgentFilters value={search} onChange={onChange} />
  ),
  csv: agentsFilterOf,
  useBulk,
  remove: { consequence: 'deleteConsequence' },
})

function Role({ role, is_admin }: Agent) {
  const words = useTexts(roleWords)
  return (
    <Group gap={4}>
      <Text span size="sm">
        {words(role)}
      </Text>
      {is_admin && (
        <Badge variant="default" tt="none">
          {words('admin')}
        </Badge>
      )}
    </Group>
  )
}
