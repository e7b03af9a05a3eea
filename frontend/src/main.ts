import { mount } from 'svelte'
import App from './App.svelte'
import { connect } from './bridge'
import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/overlays.css'

const target = document.getElementById('app')
if (!target) throw new Error('the page has no place for the app')
mount(App, { target, props: { bridge: await connect() } })
document.documentElement.dataset.started = 'yes'
