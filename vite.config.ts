import path from 'node:path';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const at = (relative: string) => path.resolve(import.meta.dirname, relative);

export default defineConfig({
  root: at('client'),
  plugins: [react(), tailwindcss()],
  build: { outDir: at('dist/public'), emptyOutDir: true },
});
