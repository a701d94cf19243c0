import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AddButton } from '../../../design/add-button'
import type { Sorting } from '../../../design/columns'
import { Page } from '../../../design/page'
import { useDialogs } from '../../../design/resource-list'
import { useTexts } from '../../../i18n/texts'
import { Acls } from '../components/acls'
import { Gateways } from '../components/gateways'
import type { InboundAcl, OutboundGateway } from '../queries'
import { trunksTexts } from '../texts'

export function TrunksPage() {
  const t = useTexts(trunksTexts)
  const heading = t('heading')
  const { view, ...search } = useSearch({ from: '/shell/admin/trunks' })
  const navigate = useNavigate({ from: '/trunks' })
  const [acls, gateways] = [useDialogs<InboundAcl>(), useDialogs<OutboundGateway>()]
  const isGateways = view === 'gateways'
  const { open } = isGateways ? gateways : acls
  const list: Sorting = {
    search,
    onSearch: (change) => void navigate({ search: (before) => ({ ...before, ...change }) }),
  }
  return (
    <Page
      title={heading}
      description={t('description')}
      actions={<AddButton onClick={() => open('new')}>{t(isGateways ? 'gatewayAdd' : 'aclAdd')}</AddButton>}
    >
      <Tabs
        value={view ?? 'acls'}
        onChange={(next) => void navigate({ search: next === 'gateways' ? { view: 'gateways' } : {} })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="acls">{t('aclsTab')}</Tabs.Tab>
          <Tabs.Tab value="gateways">{t('gatewaysTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={view ?? 'acls'}>
          {isGateways ? <Gateways {...list} dialogs={gateways} /> : <Acls {...list} dialogs={acls} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
