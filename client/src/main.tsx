import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '#client/app/app.tsx';
import { loadFirstPage } from '#client/app/navigation.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// No top-level await: the page's files import from this one, and each would wait for the other.
void loadFirstPage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
