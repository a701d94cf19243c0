import { Button, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { ProviderForm } from '../components/provider-form'
import { ProviderTest } from '../components/provider-test'
import { useRemoveProvider } from '../components/remove-provider'
import { aiProviderQuery } from '../queries'
import { aiProvidersTexts } from '../texts'

export function AiProviderPage() {
  const [t, words] = [useTexts(aiProvidersTexts), useTexts(common)]
  const { id } = useParams({ from: '/shell/operator/ai-providers/$id' })
  const navigate = useNavigate()
  const query = useQuery(aiProviderQuery(id))
  const remove = useRemoveProvider(() => void navigate({ to: '/ai-providers', search: {} }))
  const provider = query.data
  return (
    <Page
      title={provider?.name ?? id}
      up={<UpLink to="/ai-providers">{t('heading')}</UpLink>}
      description={provider && t(provider.kind)}
      actions={
        provider && (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => remove(provider)}
          >
            {words('delete')}
          </Button>
        )
      }
    >
      <Answered query={query}>
        {(one) => (
          <Stack>
            <ProviderTest id={id} />
            <ProviderForm key={id} provider={one} />
          </Stack>
        )}
      </Answered>
    </Page>
  )
}
