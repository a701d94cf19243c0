import { Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AddButton } from '../../../design/add-button'
import { Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { Acls } from '../components/acls'
import { Gateways } from '../components/gateways'
import { trunksTexts } from '../texts'

export function TrunksPage() {
  const t = useTexts(trunksTexts)
  const heading = useTexts(menuTexts.trunks)('title')
  const { view, ...search } = useSearch({ from: '/shell/admin/trunks' })
  const navigate = useNavigate({ from: '/trunks' })
  const [isAdding, adding] = useDisclosure()
  const isGateways = view === 'gateways'
  const List = isGateways ? Gateways : Acls
  return (
    <Page
      title={heading}
      description={t('description')}
      actions={<AddButton onClick={adding.open}>{t(isGateways ? 'gatewayAdd' : 'aclAdd')}</AddButton>}
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
          <List
            search={search}
            onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
            isAdding={isAdding}
            onAdd={adding.open}
            onAdded={adding.close}
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
