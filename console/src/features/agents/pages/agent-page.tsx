import { dataOf } from '@jackfield/sdk'
import { Button, Card, SimpleGrid, Stack, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconLink, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { showInvitation } from '../../../design/invitation'
import { Answered, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { UpLink } from '../../../design/up-link'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { AgentForm } from '../components/agent-form'
import { AgentState } from '../components/agent-state'
import { AgentTeams } from '../components/agent-teams'
import { Picture } from '../components/picture'
import { type Agent, agentQuery, agentsKey } from '../queries'
import { agentsTexts } from '../texts'
import { useAgentStates } from '../use-agent-states'

const PasswordForm = partOf(async () => import('../components/password-form'), 'PasswordForm')

export function AgentPage() {
  const { id } = useParams({ from: '/shell/admin/agents/$id' })
  const t = useTexts(agentsTexts)
  const query = useQuery({ ...agentQuery(id), refetchInterval: useAgentStates() })
  const agent = query.data
  return (
    <Page
      title={agent?.display_name ?? t('agent')}
      up={<UpLink to="/agents">{t('heading')}</UpLink>}
      description={agent && <AgentState agent={agent} />}
      actions={agent && <Actions agent={agent} />}
    >
      <Answered query={query}>
        {(shown) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Card withBorder>
              <Title order={2} size="h4" mb="md">
                {t('account')}
              </Title>
              <AgentForm key={shown.id} agent={shown} />
            </Card>
            <Stack>
              <Card withBorder>
                <Title order={2} size="h4" mb="md">
                  {t('inTeams')}
                </Title>
                <AgentTeams agentId={shown.id} />
              </Card>
              <Card withBorder>
                <Title order={2} size="h4" mb="md">
                  {t('picture')}
                </Title>
                <Picture agent={shown} />
              </Card>
            </Stack>
          </SimpleGrid>
        )}
      </Answered>
    </Page>
  )
}

function Actions({ agent }: { agent: Agent }) {
  const t = useTexts(agentsTexts)
  const c = useTexts(common)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isChanging, changing] = useDisclosure()
  const { id, display_name } = agent
  const invite = useAction({
    run: async () => dataOf(api.POST('/agents/{id}/invitation', { params: { path: { id } } })),
    onDone: (invitation) => showInvitation(display_name, invitation),
  })
  const remove = () =>
    confirmDelete({
      name: display_name,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/agents/{id}', { params: { path: { id } } })),
      onDone: () => {
        void navigate({ to: '/agents' })
        client.removeQueries({ queryKey: agentQuery(id).queryKey })
        void client.invalidateQueries({ queryKey: [...agentsKey, 'list'] })
      },
    })
  return (
    <>
      {agent.is_active && (
        <Button
          variant="default"
          leftSection={<IconLink size={18} aria-hidden />}
          loading={invite.isPending}
          onClick={() => invite.mutate()}
        >
          {t('invite')}
        </Button>
      )}
      <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={changing.open}>
        {t('changePassword')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={remove}>
        {c('delete')}
      </Button>
      <FormModal title={t('changePassword')} opened={isChanging} onClose={changing.close}>
        <PasswordForm agent={agent} onDone={changing.close} />
      </FormModal>
    </>
  )
}
