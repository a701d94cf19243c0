import { dataOf } from '@jackfield/sdk'
import { Alert, Anchor, Button, Stack, Text, Tooltip } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDoorEnter, IconExternalLink, IconLock, IconLockOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { Answered, Page } from '../../../design/page'
import { SectionCard } from '../../../design/section-card'
import { Spending, spendingTexts } from '../../../design/spending'
import { UpLink } from '../../../design/up-link'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { AdministratorsCard } from '../components/administrators-card'
import { CreditCard } from '../components/credit-card'
import { DeleteWorkspace } from '../components/delete-workspace'
import { GeneralForm } from '../components/general-form'
import { LimitsForm } from '../components/limits-form'
import { NumbersCard } from '../components/numbers-card'
import { workspacesKey } from '../../../api/platform'
import { type Workspace, workspaceQuery } from '../queries'
import { workspacesTexts } from '../texts'
import { consoleOf } from '../workspace-host'

export function WorkspacePage() {
  const [t, spending] = [useTexts(workspacesTexts), useTexts(spendingTexts)]
  const { id } = useParams({ from: '/shell/operator/workspaces/$id' })
  const query = useQuery(workspaceQuery(id))
  return (
    <Page
      title={query.data?.title ?? id}
      up={<UpLink to="/workspaces">{t('heading')}</UpLink>}
      actions={query.data && <Actions workspace={query.data} />}
    >
      <Answered query={query}>
        {(workspace) => (
          <Stack>
            {workspace.is_suspended && (
              <Alert color="red" icon={<IconLock />} title={t('suspended')}>
                {t('suspendConsequence')}
              </Alert>
            )}
            <AdministratorsCard workspace={id} />
            <CreditCard workspace={workspace} />
            <SectionCard title={spending('title')} hint={spending('hint')}>
              <Spending
                hour={{ spent: workspace.spent_this_hour, max: workspace.max_spend_per_hour }}
                day={{ spent: workspace.spent_today, max: workspace.max_spend_per_day }}
              />
            </SectionCard>
            <NumbersCard workspace={workspace} />
            <Anchor
              size="sm"
              renderRoot={(props) => <Link {...props} to="/platform/gateways" search={{ workspace: id }} />}
            >
              {t('gateways')}
            </Anchor>
            <SectionCard title={t('general')}>
              <GeneralForm key={id} workspace={workspace} />
            </SectionCard>
            <SectionCard title={t('limits')} hint={t('limitsHint')}>
              <LimitsForm key={id} workspace={workspace} />
            </SectionCard>
            <DeleteWorkspace workspace={workspace} />
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function Actions({ workspace: { id, title, is_suspended } }: { workspace: Workspace }) {
  const [t, words] = [useTexts(workspacesTexts), useTexts(common)]
  const suspend = useAction({
    run: async (next: boolean) =>
      dataOf(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body: { is_suspended: next } })),
    changes: [workspacesKey],
    done: (_, next) => t(next ? 'suspendedNow' : 'resumed', { title }),
  })
  const enter = useAction({
    run: async () => dataOf(api.POST('/workspaces/{id}/entries', { params: { path: { id } } })),
    onDone: ({ link }) => location.assign(link),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('suspendQuestion', { title }),
      children: <Text>{t('suspendConsequence')}</Text>,
      labels: { confirm: t('suspend'), cancel: words('cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => suspend.mutate(true),
    })
  return (
    <>
      <Button
        component="a"
        href={consoleOf(id)}
        target="_blank"
        rel="noreferrer"
        variant="default"
        leftSection={<IconExternalLink size={18} />}
      >
        {t('console')}
      </Button>
      {!is_suspended && (
        <Tooltip label={t('enterHint')} multiline w={280}>
          <Button
            variant="default"
            leftSection={<IconDoorEnter size={18} />}
            loading={enter.isPending}
            onClick={() => enter.mutate()}
          >
            {t('enter')}
          </Button>
        </Tooltip>
      )}
      {is_suspended ? (
        <Button
          variant="default"
          leftSection={<IconLockOpen size={18} />}
          loading={suspend.isPending}
          onClick={() => suspend.mutate(false)}
        >
          {t('resume')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconLock size={18} />}
          loading={suspend.isPending}
          onClick={ask}
        >
          {t('suspend')}
        </Button>
      )}
    </>
  )
}
