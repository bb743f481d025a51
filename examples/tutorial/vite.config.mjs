const api = `http://localhost:${process.env.PORT ?? 3001}`;

export default {
  server: { proxy: { '/api': api } },
  preview: { proxy: { '/api': api } },
};
