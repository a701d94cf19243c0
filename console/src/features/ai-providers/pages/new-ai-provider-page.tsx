import { useNavigate } from '@tanstack/react-router'
import { Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { useTexts } from '../../../i18n/texts'
import { ProviderForm } from '../components/provider-form'
import { aiProvidersTexts } from '../texts'

export function NewAiProviderPage() {
  const t = useTexts(aiProvidersTexts)
  const navigate = useNavigate()
  return (
    <Page
      title={t('add')}
      up={<UpLink to="/ai-providers">{t('heading')}</UpLink>}
      description={t('newDescription')}
    >
      <ProviderForm
        onDone={({ id }) => void navigate({ to: '/ai-providers/$id', params: { id } })}
        onCancel={() => void navigate({ to: '/ai-providers', search: {} })}
      />
    </Page>
  )
}
